// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// An ERC-20 token. Anyone may claim a fixed amount; the owner may mint and pay many holders at once.
contract Token {
    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public immutable claimAmount;
    address public immutable owner;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 claimAmount_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
        claimAmount = claimAmount_;
        owner = msg.sender;
        _mint(msg.sender, claimAmount_ * 1_000_000);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "Token: allowance too low");
        allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
        return true;
    }

    function claim() external {
        _mint(msg.sender, claimAmount);
    }

    function mint(address to, uint256 value) external {
        require(msg.sender == owner, "Token: only the owner mints");
        _mint(to, value);
    }

    function burn(uint256 value) external {
        require(balanceOf[msg.sender] >= value, "Token: balance too low");
        balanceOf[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
    }

    /// One Transfer log for each recipient.
    function payAll(address[] calldata recipients, uint256 value) external {
        for (uint256 i = 0; i < recipients.length; i++) _move(msg.sender, recipients[i], value);
    }

    function _mint(address to, uint256 value) private {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function _move(address from, address to, uint256 value) private {
        require(balanceOf[from] >= value, "Token: balance too low");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
