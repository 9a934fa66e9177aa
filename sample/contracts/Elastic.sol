// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A rebasing ERC-20 token: `balanceOf` is shares times an index, and a rebase moves every balance without a
/// Transfer event, so what the logs add up to is not what the contract answers.
contract Elastic {
    uint256 private constant ONE = 1e18;

    string public name;
    string public symbol;
    uint8 public constant decimals = 18;
    uint256 public index = ONE;
    uint256 public totalShares;
    mapping(address => uint256) public sharesOf;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Rebased(uint256 index);

    constructor(string memory name_, string memory symbol_) {
        name = name_;
        symbol = symbol_;
    }

    function balanceOf(address account) public view returns (uint256) {
        return (sharesOf[account] * index) / ONE;
    }

    function totalSupply() external view returns (uint256) {
        return (totalShares * index) / ONE;
    }

    function mintAll(address[] calldata holders, uint256 value) external {
        uint256 shares = (value * ONE) / index;
        totalShares += shares * holders.length;
        for (uint256 i = 0; i < holders.length; i++) {
            sharesOf[holders[i]] += shares;
            emit Transfer(address(0), holders[i], value);
        }
    }

    function transfer(address to, uint256 value) external returns (bool) {
        uint256 shares = (value * ONE) / index;
        sharesOf[msg.sender] -= shares;
        sharesOf[to] += shares;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    /// Multiplies every balance by `millionths` / 1,000,000.
    function rebase(uint256 millionths) external {
        index = (index * millionths) / 1_000_000;
        emit Rebased(index);
    }
}
