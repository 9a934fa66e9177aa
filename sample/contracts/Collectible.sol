// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface ITokenReceiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data) external returns (bytes4);
}

/// An ERC-721 collection that anyone may mint from. Ids count up from 1.
contract Collectible {
    string public name;
    string public symbol;
    string private base;
    uint256 public totalSupply;
    mapping(uint256 => address) private holder;
    mapping(address => uint256) private held;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    error NoSuchToken(uint256 tokenId);
    error NotAllowed(address caller, uint256 tokenId);

    constructor(string memory name_, string memory symbol_, string memory base_) {
        name = name_;
        symbol = symbol_;
        base = base_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function ownerOf(uint256 tokenId) public view returns (address) {
        address current = holder[tokenId];
        if (current == address(0)) revert NoSuchToken(tokenId);
        return current;
    }

    function balanceOf(address account) external view returns (uint256) {
        return held[account];
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        ownerOf(tokenId);
        return string.concat(base, decimal(tokenId), ".json");
    }

    function mint(uint256 count) external {
        for (uint256 i = 0; i < count; i++) {
            uint256 tokenId = ++totalSupply;
            holder[tokenId] = msg.sender;
            emit Transfer(address(0), msg.sender, tokenId);
        }
        held[msg.sender] += count;
    }

    function approve(address approved, uint256 tokenId) external {
        address current = ownerOf(tokenId);
        if (msg.sender != current && !isApprovedForAll[current][msg.sender]) revert NotAllowed(msg.sender, tokenId);
        getApproved[tokenId] = approved;
        emit Approval(current, approved, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) public {
        address current = ownerOf(tokenId);
        require(current == from, "Collectible: not the holder");
        bool allowed = msg.sender == from || getApproved[tokenId] == msg.sender || isApprovedForAll[from][msg.sender];
        if (!allowed) revert NotAllowed(msg.sender, tokenId);
        delete getApproved[tokenId];
        held[from] -= 1;
        held[to] += 1;
        holder[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        safeTransferFrom(from, to, tokenId, "");
    }

    function safeTransferFrom(address from, address to, uint256 tokenId, bytes memory data) public {
        transferFrom(from, to, tokenId);
        if (to.code.length > 0) {
            bytes4 answer = ITokenReceiver(to).onERC721Received(msg.sender, from, tokenId, data);
            require(answer == ITokenReceiver.onERC721Received.selector, "Collectible: refused");
        }
    }

    function decimal(uint256 value) private pure returns (string memory) {
        if (value == 0) return "0";
        uint256 length;
        for (uint256 rest = value; rest > 0; rest /= 10) length++;
        bytes memory text = new bytes(length);
        for (; length > 0; value /= 10) text[--length] = bytes1(uint8(48 + (value % 10)));
        return string(text);
    }
}
