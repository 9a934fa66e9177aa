// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// An ERC-20 token that can do everything behind the back of its Transfer events. For tests: each function is one way in
/// which a token does not follow its logs.
contract Unlogged {
    string public constant name = "Unlogged";
    string public constant symbol = "UNLG";
    uint8 public constant decimals = 18;

    mapping(address => uint256) private balances;
    uint256 private supply;
    uint256 private lie;
    uint256 private feePercent;
    bool private isMute;
    bool private isFickle;
    uint256 private factor = 100;

    event Transfer(address indexed from, address indexed to, uint256 value);
    /// Names an account as a vault does, without a Transfer.
    event Credited(address indexed account, uint256 value);
    event Deposit(address indexed account, uint256 value);

    function balanceOf(address account) external view returns (uint256) {
        require(!isMute, "Unlogged: mute");
        // Two answers for one state, by the block that asks.
        return (balances[account] * factor) / 100 + (isFickle ? block.number % 2 : 0);
    }

    function totalSupply() external view returns (uint256) {
        return (supply * factor) / 100 + lie;
    }

    function mint(address to, uint256 value) external {
        balances[to] += value;
        supply += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        uint256 fee = (value * feePercent) / 100;
        balances[msg.sender] -= value;
        balances[to] += value - fee;
        supply -= fee;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    /// Balances of accounts that no event names.
    function mintSilently(address to, uint256 value) external {
        balances[to] += value;
        supply += value;
    }

    function burnSilently(address from, uint256 value) external {
        balances[from] -= value;
        supply -= value;
    }

    /// A credit that only an event of another kind names.
    function credit(address to, uint256 value) external {
        balances[to] += value;
        supply += value;
        emit Credited(to, value);
    }

    /// A deposit of another asset: it credits half of what it logs.
    function depositHalf(address to, uint256 value) external {
        balances[to] += value / 2;
        supply += value / 2;
        emit Deposit(to, value);
    }

    /// Multiplies every balance, as a rebase or the interest of shares does.
    function rebase(uint256 percent) external {
        factor = (factor * percent) / 100;
    }

    function setFee(uint256 percent) external {
        feePercent = percent;
    }

    function overstate(uint256 value) external {
        lie = value;
    }

    function fallSilent() external {
        isMute = true;
    }

    function turnFickle() external {
        isFickle = true;
    }
}
